/** How a worker comes to a picture. The names of the tools are those of Codex 0.171 and Grok Build 1.0.41. */
export const generateImageInstructions = [
  'You make one picture for another agent, which is told where it lies and sees nothing else of your work.',
  'Make it with your own tool for pictures (image generation, `image_gen`; `image_edit` for pictures to work from). If you have',
  'no such tool, or it fails, say so and write no file: do not draw it by code, and use no other service.',
  'The tool keeps its file in a folder of its own: copy that file to the path you are given, converted if the ending asks for',
  'another format. Change no other file. Your last message is one sentence: what the picture shows, or why there is none.',
].join('\n');

/** The prompt: what to show, where to put it (relative to the folder), and pictures to work from (absolute). */
export function generateImagePrompt(description: string, out: string, from: readonly string[]): string {
  const sources =
    from.length === 0 ? '' : `\n\nWork from these pictures:\n${from.map((path) => `- ${path}`).join('\n')}`;
  return `${description}${sources}\n\nPut it at this path in the current folder: ${out}`;
}
