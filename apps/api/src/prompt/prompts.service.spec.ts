import { keptPrompt } from './prompts.service';

describe('the prompt that was kept of a turn', () => {
  const whole = JSON.stringify({ sections: [], cuts: [] });

  it.each([
    ['whole', whole, { sections: [], cuts: [] }],
    ['cut by a crash', whole.slice(0, -3), null],
    ['empty', '', null],
    ['something else', '{"cuts":[]}', null],
  ])('that is %s', (_, content, prompt) => {
    expect(keptPrompt(content)).toEqual(prompt);
  });
});
