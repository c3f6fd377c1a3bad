import { usageCsvHead, usageCsvRows } from './usage-csv';

it('a report as CSV: every digit, quoted where needed, no formulas, and an unknown cost left empty', () => {
  const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 };
  const rows = usageCsvRows({
    data: [
      {
        key: 'user_1',
        label: 'Ada "A", Byron',
        turns: 2,
        usage,
        costUsd: '0.0012345678',
        unpricedMessages: 3,
        demo: false,
      },
      { key: 'user_2', label: '=cmd|x', turns: 1, usage, costUsd: '0', unpricedMessages: 0, demo: true },
      { key: 'user_3', label: 'Grace', turns: 1, usage, costUsd: null, unpricedMessages: 1, demo: false },
    ],
    totalUsd: '0.0012345678',
    totalTurns: 3,
    unpricedMessages: 4,
    nextCursor: null,
  });
  expect(usageCsvHead + rows).toBe(
    'key,label,turns,input_tokens,output_tokens,cache_read_tokens,cache_write_tokens,cost_usd,demo,unpriced_messages\r\n' +
      'user_1,"Ada ""A"", Byron",2,1,2,3,4,0.0012345678,false,3\r\n' +
      "user_2,'=cmd|x,1,1,2,3,4,0,true,0\r\n" +
      'user_3,Grace,1,1,2,3,4,,false,1\r\n',
  );
});
