import * as vscode from 'vscode';
import { execSync } from 'node:child_process';
import { connectCodex } from '../support/loopback.ts';
const sleep = (ms: number) => new Promise((r) => setTimeout(r, ms));
it('dbg', async () => {
  const l = await connectCodex();
  const done = vscode.commands.executeCommand('sallyport.delegateToCodex', { prompt: 'Write the note [[scenario: edit]]' });
  await sleep(2500);
  await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
  for (let i=0;i<6;i++){ await sleep(2000);
  console.log('PS', execSync('ps -eo pid,args | grep -i codex | grep -v grep | cut -c1-300').toString());
  console.log('REQ', l.model.requests.length, vscode.window.activeTextEditor?.document.uri.toString());
  console.log(execSync(`ls -R ${process.env.SALLYPORT_STATE_DIR}; cat ${process.env.SALLYPORT_STATE_DIR}/journal/*`).toString()); }
  console.log(await Promise.race([done, sleep(100)]));
});
