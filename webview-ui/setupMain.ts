import '@vscode/codicons/dist/codicon.css';
import './buttons.css';
import './setupPage.css';
import { readSetupPage, type SetupPageState } from '../src/protocol/setupPage.ts';
import type { SetupPageAction } from '../src/protocol/setupPageAction.ts';
import { connectHost } from './host.ts';
import { SetupPage } from './setupPage.ts';

const page = new SetupPage(connectHost<SetupPageAction, SetupPageState>(readSetupPage));
document.body.append(page);
page.start();
