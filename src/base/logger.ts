/** Where a room reports what it did. Texts carry no secrets at any level, and no prompts above `debug`. */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
