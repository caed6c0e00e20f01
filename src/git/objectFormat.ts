/** How a repository names its objects. `sha256` is rare; its names, and so its index entries, are longer. */
export type ObjectFormat = 'sha1' | 'sha256';

/** From the setting `extensions.objectFormat`; only the formats git has. */
export function objectFormatOf(config: ReadonlyMap<string, string>): ObjectFormat {
  return config.get('extensions.objectformat') === 'sha256' ? 'sha256' : 'sha1';
}
