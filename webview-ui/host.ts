/** What the editor gives a webview, once. */
interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): EditorApi;

/** What a page wants to find again after it was hidden. */
export interface Memory {
  read(): unknown;
  write(value: unknown): void;
}

/** The window, as a page sees it. */
export interface Host<Action, Message> {
  tell(action: Action): void;
  /** Hears every message that is well formed; others are dropped. */
  listen(heard: (message: Message) => void): void;
  readonly memory: Memory;
}

/** @param read Undefined for what is no message. */
export function connectHost<Action, Message>(read: (data: unknown) => Message | undefined): Host<Action, Message> {
  const api = acquireVsCodeApi();
  return {
    tell: (action) => api.postMessage(action),
    listen: (heard) =>
      window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        const message = read(data);
        if (message !== undefined) heard(message);
      }),
    memory: { read: () => api.getState(), write: (value) => api.setState(value) },
  };
}
