/** Addresses and permissions of one of our pages. */
export interface ViewPage {
  script: string;
  style: string;
  /** Where scripts' companions may come from: the editor's name for the extension's own files. */
  source: string;
  /** Fresh for each page. */
  nonce: string;
  language: string;
  title: string;
  /** Shown when the script cannot be loaded. */
  gone: string;
}

/**
 * A page of ours: nothing loads but our own script, style sheet and icon font, and nothing runs but that script, and one
 * line that says so when it is no longer there: the editor loads the page anew each time it is shown.
 */
export function viewHtml({ script, style, source, nonce, language, title, gone }: ViewPage): string {
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${source}`,
    `font-src ${source}`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
<title>${title}</title>
</head>
<body>
<p id="gone" hidden>${gone}</p>
<script nonce="${nonce}">addEventListener('error', () => { document.getElementById('gone').hidden = false; }, { capture: true, once: true });</script>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
