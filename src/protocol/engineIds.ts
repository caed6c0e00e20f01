/** The CLIs Sallyport drives. Apart from the schemas, so that activation, which loads no zod, can read a session handle. */
export const engineIds = ['codex', 'grok', 'claude', 'cursor'] as const;
