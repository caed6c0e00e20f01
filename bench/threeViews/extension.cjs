const vscode = require('vscode');

const open = vscode.TreeItemCollapsibleState.Expanded;
const below = { undefined: ['group'], group: ['row'] };

/** A group with a row, a page that is empty, and a view without rows. */
exports.activate = ({ subscriptions }) => {
  const { window } = vscode;
  const getTreeItem = (name) => new vscode.TreeItem(name, name === 'group' ? open : undefined);
  const rows = { getTreeItem, getChildren: (name) => below[name] };
  const none = { getTreeItem, getChildren: () => [] };
  const resolveWebviewView = ({ webview }) => {
    webview.html = '<!DOCTYPE html><title>Page</title>';
  };
  subscriptions.push(
    window.registerWebviewViewProvider('threeViews.page', { resolveWebviewView }),
    window.createTreeView('threeViews.rows', { treeDataProvider: rows }),
    window.createTreeView('threeViews.none', { treeDataProvider: none }),
  );
};
