/// What doors with an `agent_contract` share: next actions, error bodies, gates and their own
/// answers, without a word of any one door.
@NullMarked
package io.orchestrion.server.contract;

import org.jspecify.annotations.NullMarked;
