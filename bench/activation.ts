import type { Group } from './row.ts';
export const activation: Group = { name: 'activation', about: 'x', run: () => Promise.resolve([]) };
