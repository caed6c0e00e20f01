/** Tools that run without asking, whatever the person's rules are. */
const neverAsk = new Set([
  'Read',
  'Grep',
  'Glob',
  'Task',
  'Await',
  'Todo',
  'TodoRead',
  'TodoWrite',
  'TodoList',
  'ReadTodos',
  'UpdateTodos',
]);

/** Whether a call of this tool may wait for a person. A tool that is not known may. */
export function canGate(toolName: string): boolean {
  return !neverAsk.has(toolName);
}
