import type { Logger } from '@chirality/platform';
import { ToolCallLedger } from './tool-call-ledger';

const attempt = { turnId: 'turn_1', sessionId: 'sess_1', attempt: 1, fence: 1n };

describe('the ledger while the database is away', () => {
  it('hears of a tool’s end when the database is back', async () => {
    const closed: string[] = [];
    const warned: string[] = [];
    let away = 2;
    const closing = new Promise<void>((resolve) => {
      const calls = {
        openToolCall: async () => true,
        markAllowed: async () => true,
        closeToolCall: async (_turnId: string, toolUseId: string, outcome: string) => {
          if (away-- > 0) throw Object.assign(new Error('terminating connection'), { code: '57P01' });
          closed.push(`${toolUseId} ${outcome}`);
          resolve();
        },
      };
      const log = { warn: (_facts: object, message: string) => (warned.push(message), resolve()) } as unknown as Logger;
      new ToolCallLedger(calls, { record: async () => undefined }, log).close(attempt, 'toolu_1', 'ok');
    });
    await closing;
    expect([closed, warned]).toEqual([['toolu_1 ok'], []]);
  });
});
