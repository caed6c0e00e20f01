import '@vscode/codicons/dist/codicon.css';
import './style.css';
import { connectHost } from './host.ts';
import { WaitingView } from './waitingView.ts';

const view = new WaitingView(connectHost());
document.body.append(view);
view.start();
