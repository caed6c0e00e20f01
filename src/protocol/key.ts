/**
 * The keys that may be pressed in an agent's terminal. Tab (writes the allowlist) and Shift+Tab (switches on Run Everything)
 * do not exist here.
 */
export type Key = 'y' | 'n' | 'Escape' | 'Enter' | 'Space' | 'Up' | 'Down';
