/** The JSON object in a text that may say more around it; undefined when there is none. */
export function parsedObject(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  } catch {
    return undefined;
  }
}
