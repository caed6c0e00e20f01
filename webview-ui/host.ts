import type { PanelAction } from '../src/protocol/panelAction.ts';
import { type ViewMessage, viewMessageSchema } from '../src/protocol/panel.ts';

/** What the editor gives a webview, once. */
interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): EditorApi;

/** The window, as the view sees it. */
export interface Host {
  tell(action: PanelAction): void;
  /** Hears every message that is well formed; others are dropped. */
  listen(heard: (message: ViewMessage) => void): void;
  /** What the view wants to find again after it was hidden. */
  readonly memory: { read(): unknown; write(value: unknown): void };
}

export function connectHost(): Host {
  const api = acquireVsCodeApi();
  return {
    tell: (action) => api.postMessage(action),
    listen: (heard) =>
      window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        const message = viewMessageSchema.safeParse(data);
        if (message.success) heard(message.data);
      }),
    memory: { read: () => api.getState(), write: (value) => api.setState(value) },
  };
}
