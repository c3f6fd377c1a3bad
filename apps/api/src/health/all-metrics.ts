import type { MetricsBoard } from '@chirality/messaging';
import { metricsRegistry } from '@chirality/platform';
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';

/** This process's figures and those that the workers hung out, added up; without Redis, this process's alone. */
export async function allMetrics(board: MetricsBoard): Promise<string> {
  const own = await metricsRegistry.getMetricsAsJSON();
  const others = (await board.collect()) as MetricObjectWithValues<MetricValue<string>>[][];
  return AggregatorRegistry.aggregate([own, ...others]).metrics();
}
