import { answersOf, questionsOf } from './questions';

const input = { questions: [{ question: 'Which?', header: 'Pick', options: [{ label: 'A', description: 'a' }, { label: 'B' }], multiSelect: true }, { question: 'Why?' }, 'odd'] };

describe('questions of the model', () => {
  it('are read from the input, whatever is missing', () => {
    expect(questionsOf(input)).toEqual([
      { question: 'Which?', header: 'Pick', options: [{ label: 'A', description: 'a' }, { label: 'B', description: '' }], isMultiple: true },
      { question: 'Why?', header: '', options: [], isMultiple: false },
      { question: '', header: '', options: [], isMultiple: false },
    ]);
    expect(questionsOf(null)).toEqual([]);
  });

  it('are answered when each has a choice or words of one’s own', () => {
    const questions = questionsOf(input).slice(0, 2);
    expect(answersOf(questions, new Map([['Which?', ['A']]]), new Map())).toBeNull();
    expect(answersOf(questions, new Map([['Which?', ['A', 'B']]]), new Map([['Why?', ' because '], ['Which?', 'and C']]))).toEqual({ 'Which?': 'A, B, and C', 'Why?': 'because' });
  });
});
