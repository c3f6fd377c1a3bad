import { metrics, metricsRegistry } from './metrics';

describe('metrics', () => {
  it('prints what was counted beside the process figures', async () => {
    metrics.turnsEnded.inc({ status: 'completed', code: 'none' });
    metrics.turnQueueSeconds.observe(0.4);
    const text = await metricsRegistry.metrics();
    expect(text).toContain('chirality_turns_ended_total{status="completed",code="none"} 1');
    expect(text).toContain('chirality_turn_queue_seconds_bucket{le="0.5"} 1');
    expect(text).toContain('chirality_process_resident_memory_bytes');
  });

  it('has no name twice and one prefix', () => {
    const names = metricsRegistry.getMetricsAsArray().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !name.startsWith('chirality_'))).toEqual([]);
  });
});
