import { EventEmitter } from 'node:events';
import { accessChangeSchema, turnSignalSchema } from '@chirality/contracts';
import type { Redis } from 'ioredis';
import { ChannelSubscriber } from './channel-subscriber';
import { HintChannel, KeyedHintChannel } from './hint-channel';

describe('a message that cannot be read', () => {
  it('is reported, and ends neither the process nor the other listeners', () => {
    const redis = Object.assign(new EventEmitter(), { status: 'connecting' });
    const errors: string[] = [];
    const subscriber = new ChannelSubscriber(redis as unknown as Redis, (error) => errors.push(error.name));
    const heard: unknown[] = [];
    const wires = { publisher: redis as unknown as Redis, subscriber };
    const signals = new KeyedHintChannel(wires, (worker) => `worker:${worker}:signals`, turnSignalSchema);
    signals.subscribe('worker_1', (signal) => heard.push(signal));
    new HintChannel(wires, 'access-changes', accessChangeSchema).subscribe((change) => heard.push(change));
    subscriber.subscribe('worker:worker_1:signals', (message) => heard.push(message));
    redis.emit('message', 'worker:worker_1:signals', '{half');
    redis.emit('message', 'access-changes', '');
    redis.emit('message', 'access-changes', '{"userId":"user_1"}');
    redis.emit('message', 'access-changes', '{"userId":1}');
    expect(heard).toEqual(['{half', { userId: 'user_1' }]);
    expect(errors).toEqual(['SyntaxError', 'SyntaxError']);
  });
});
