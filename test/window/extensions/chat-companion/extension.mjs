// A chat agent with a model that always does the same: it calls the tool the prompt names with the input the prompt
// holds (`<tool name ending> <JSON>`), and then repeats what the tool said. Only the stable API is used.
import * as vscode from 'vscode';

const model = {
  id: 'scripted-1',
  name: 'Scripted One',
  family: 'scripted',
  version: '1',
  maxInputTokens: 100_000,
  maxOutputTokens: 10_000,
  isUserSelectable: true,
  isDefault: true,
  capabilities: { toolCalling: true },
};

const partText = (part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '');
const resultIn = (message) => message.content.find((part) => part instanceof vscode.LanguageModelToolResultPart);

const provider = {
  provideLanguageModelChatInformation: () => [model],
  provideLanguageModelChatResponse(_model, messages, options, progress) {
    const last = messages.at(-1);
    const result = resultIn(last);
    if (result) {
      progress.report(new vscode.LanguageModelTextPart(`The tool said: ${result.content.map(partText).join('')}`));
      return;
    }
    const [, ending, input] = /^(\S+) (.*)$/s.exec(last.content.map(partText).join('').trim()) ?? [];
    const tool = options.tools?.find(({ name }) => name.endsWith(ending));
    if (!tool) throw new Error(`no tool ends in ${ending}: ${options.tools?.map(({ name }) => name).join(', ')}`);
    progress.report(new vscode.LanguageModelToolCallPart('call-1', tool.name, JSON.parse(input)));
  },
  provideTokenCount: () => 1,
};

export function activate(context) {
  /** What each turn came to: the tools it called and the answer. */
  const turns = [];
  const answer = async (request, _history, stream, token) => {
    const turn = { called: [], text: '' };
    try {
      const tools = vscode.lm.tools.filter(({ name }) => name.includes('sallyport'));
      const messages = [vscode.LanguageModelChatMessage.User(request.prompt)];
      for (let round = 0; round < 3; round += 1) {
        const reply = await request.model.sendRequest(messages, { tools }, token);
        let call;
        for await (const part of reply.stream) {
          if (part instanceof vscode.LanguageModelToolCallPart) call = part;
          else if (part instanceof vscode.LanguageModelTextPart) turn.text += part.value;
        }
        if (!call) break;
        turn.called.push(call.name);
        const { toolInvocationToken } = request;
        const result = await vscode.lm.invokeTool(call.name, { input: call.input, toolInvocationToken }, token);
        messages.push(
          vscode.LanguageModelChatMessage.Assistant([call]),
          vscode.LanguageModelChatMessage.User([new vscode.LanguageModelToolResultPart(call.callId, result.content)]),
        );
      }
      stream.markdown(turn.text);
    } catch (error) {
      turn.error = String(error);
      throw error;
    } finally {
      turns.push(turn);
    }
  };
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider('scripted', provider),
    vscode.chat.createChatParticipant('sallyport-tests.companion', answer),
  );
  return { turns };
}
