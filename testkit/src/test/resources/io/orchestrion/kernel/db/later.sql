-- name: make
create table said (n int not null)

-- name: add
insert into said select * from unnest(:numbers::int[])

-- name: all
select n from said order by n

-- name: add_all_or_none
insert into said (n)
select given.n
  from unnest(:numbers::int[]) as given(n)
 where :go
