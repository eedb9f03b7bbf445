// All pages of a list that is bounded by its nature, such as the steps of one execution.

export async function allPages<T>(
  load: (cursor: string | undefined) => Promise<{ items: T[]; next_cursor: string | null }>,
  most = 2000,
): Promise<{ items: T[]; more: boolean }> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await load(cursor);
    items.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor && items.length < most);
  return { items, more: cursor !== undefined };
}
