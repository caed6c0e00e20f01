/** A path of a file in a folder, in backticks, perhaps with a line; "(new)" behind it says that it is to be created. */
const pathInBackticks =
  /`(?:\.\/)?((?:[\w.@+()[\]-]+\/)+[\w.@+()[\]-]*\.\w{1,10})(?::\d+(?:-\d+)?)?`(?!\*{0,2} ?\(new\))/g;

/** The files that a plan speaks of as being there, each once, in order. A name without a folder could be anything else. */
export function pathsIn(plan: string): string[] {
  const created = new Set([...plan.matchAll(/`(?:\.\/)?([^`\s]+)`\*{0,2} ?\(new\)/g)].map(([, path]) => path));
  const named = [...plan.matchAll(pathInBackticks)].flatMap(([, path]) => path ?? []);
  return [...new Set(named)].filter((path) => !created.has(path) && !path.split('/').includes('..'));
}
