import { usageCsv } from './usage-csv';

it('a report as CSV: every digit, quoted where needed, no formulas', () => {
  const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 };
  const csv = usageCsv({
    data: [
      { key: 'user_1', label: 'Ada "A", Byron', turns: 2, usage, costUsd: '0.0012345678', demo: false },
      { key: 'user_2', label: '=cmd|x', turns: 1, usage, costUsd: '0', demo: true },
    ],
    totalUsd: '0.0012345678',
    nextCursor: null,
  });
  expect(csv).toBe(
    'key,label,turns,input_tokens,output_tokens,cache_read_tokens,cache_write_tokens,cost_usd,demo\r\n' +
      'user_1,"Ada ""A"", Byron",2,1,2,3,4,0.0012345678,false\r\n' +
      "user_2,'=cmd|x,1,1,2,3,4,0,true\r\n",
  );
});
