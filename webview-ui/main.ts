import '@vscode/codicons/dist/codicon.css';
import './buttons.css';
import './style.css';
import { viewMessageSchema, type ViewMessage } from '../src/protocol/panel.ts';
import type { PanelAction } from '../src/protocol/panelAction.ts';
import { connectHost } from './host.ts';
import { WaitingView } from './waitingView.ts';

const view = new WaitingView(connectHost<PanelAction, ViewMessage>((data) => viewMessageSchema.safeParse(data).data));
document.body.append(view);
view.start();
