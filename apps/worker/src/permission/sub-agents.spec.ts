import { SubAgents } from './sub-agents';

describe('which sub-agent asks', () => {
  it('is found by the call that started it, two deep', () => {
    const agents = new SubAgents();
    agents.started({
      toolUseId: 'a',
      name: 'Task',
      input: { subagent_type: 'explore', description: 'Look around', prompt: 'x' },
    });
    agents.started({ toolUseId: 'b', name: 'Agent', input: { description: 'Look closer' }, parentToolUseId: 'a' });
    agents.started({ toolUseId: 'c', name: 'Bash', input: { command: 'ls' }, parentToolUseId: 'b' });
    expect(agents.askerOf('b', null)).toEqual({
      agent: { type: 'explore', task: 'Look around' },
      parentToolUseId: 'a',
    });
    expect(agents.askerOf('c', 'explore')).toEqual({
      agent: { type: 'general-purpose', task: 'Look closer' },
      parentToolUseId: 'b',
    });
  });

  it('is what the program says where the call was not seen, and none for the conversation itself', () => {
    expect(new SubAgents().askerOf('x', 'plan')).toEqual({ agent: { type: 'plan', task: '' }, parentToolUseId: null });
    expect(new SubAgents().askerOf('x', null)).toEqual({ agent: null, parentToolUseId: null });
  });
});
