import { shellQuoted } from './commandLine.ts';

/** By this name an entry of Claude Code's settings is known to be ours, wherever the state folder was. */
export const hookScriptName = 'sallyport-claude-hook.sh';

/** A whole file smaller than this costs about as much as asking somebody else to read it. Bytes. */
const worthANudge = 16_384;

const nudge = (text: string) =>
  JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: text } });

const readNudge = nudge(
  'Sallyport (said once per session): this reads a large file whole. When you only need to know something and will not edit the file, ' +
    "sallyport's read_slice (the exact lines, by description) or explore answers for a fraction of the context. " +
    'When you are about to edit it, or these tools are not offered, read on as you do.',
);

const searchNudge = nudge(
  "Sallyport (said once per session): for web searches sallyport's web_lookup lets another agent do the searching and reading and returns " +
    'only the answer with its links. When it is not offered, search on as you do.',
);

/**
 * A PreToolUse hook of Claude Code (code.claude.com/docs/en/hooks; input and effect seen with 2.1.332): one JSON object on
 * standard input, and `additionalContext` on standard output reaches the model beside the tool's result. It never blocks:
 * whatever is not as expected ends it in silence, with exit code 0. It is a shell script because it runs before every Read
 * and WebSearch, and a shell starts in a millisecond.
 *
 * Other clients run the hooks of Claude's settings too. Grok Build sends both spellings of each key, its own tool names, and
 * a transcript that does not bear the session's name (seen with 1.0.41); Cursor sends `cursor_version` and
 * `conversation_id` (its documentation). A JSON key with its quotes cannot stand inside a JSON string, so text that a tool
 * is called with is never taken for a key.
 */
export const hookScript = `#!/bin/sh
# Reminds Claude Code of Sallyport's reading tools, once per session. Written by Sallyport; its command
# "Remove Claude Code Hook" takes it out again. Never blocks a tool.
exec 2> /dev/null
# A worker of Sallyport has none of its tools.
[ -z "$SALLYPORT_RUN" ] || exit 0
IFS= read -r input || [ -n "$input" ] || exit 0

# The string under a key, as JSON spells it.
value_of() {
  case $input in *"\\"$1\\":\\""*) ;; *) return 1 ;; esac
  value=\${input#*"\\"$1\\":\\""}
  value=\${value%%\\"*}
}

case $input in
  *'"cursor_version":'* | *'"conversation_id":'* | *'"hookEventName":'* | *'"agent_id":'*) exit 0 ;;
  *'"hook_event_name":"PreToolUse"'*) ;;
  *) exit 0 ;;
esac
value_of session_id || exit 0
session=$value
case $session in '' | *[!0-9A-Za-z-]*) exit 0 ;; esac
case $input in *"/$session.jsonl\\""* | *"\\\\\\\\$session.jsonl\\""*) ;; *) exit 0 ;; esac

here=\${0%/*}
[ -e "$here/nudged/$session" ] && exit 0
value_of tool_name || exit 0
case $value in
  Read)
    case $input in *'"offset":'* | *'"limit":'* | *'"pages":'*) exit 0 ;; esac
    value_of file_path || exit 0
    # Windows' separators, as JSON spells them.
    while case $value in *'\\\\'*) ;; *) false ;; esac; do value=\${value%%'\\\\'*}/\${value#*'\\\\'}; done
    case $value in *.png | *.jpg | *.jpeg | *.gif | *.webp | *.pdf | *.ipynb) exit 0 ;; esac
    [ -f "$value" ] && [ $(wc -c < "$value") -ge ${worthANudge} ] || exit 0
    nudge=${shellQuoted(readNudge)}
    ;;
  WebSearch)
    nudge=${shellQuoted(searchNudge)}
    ;;
  *) exit 0 ;;
esac

# Nobody is reminded of what is no longer installed.
installed=
for place in "$here"/places/*; do
  { IFS= read -r prefix && IFS= read -r prefix; } < "$place" || continue
  for server in "$prefix"*/dist/mcp.cjs; do [ -f "$server" ] && installed=1; done
done
[ -n "$installed" ] || exit 0

# Of tools called at the same time the first to make this file speaks.
umask 077
mkdir -p "$here/nudged"
(set -C && : > "$here/nudged/$session") || exit 0
printf '%s' "$nudge"
exit 0
`;
