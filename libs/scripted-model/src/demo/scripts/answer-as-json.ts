import { ANSWERING_TOOL } from '@chirality/domain';
import { message, toolUse } from '../../api/reply';
import { sampleValue } from '../sample-value';
import type { Script } from '../script';

/** A message that brings a schema gets an example of what the schema describes, made by rules. */
export const answerAsJson: Script = {
  name: 'answer-as-json',
  fits: ({ answerSchema }) => answerSchema !== null,
  play: ({ answerSchema }) => message(toolUse(ANSWERING_TOOL, sampleValue(answerSchema) as Record<string, unknown>)),
};
