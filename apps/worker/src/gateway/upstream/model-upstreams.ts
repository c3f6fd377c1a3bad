import type { Config } from '@chirality/platform';
import { startScriptedModel } from '@chirality/scripted-model';
import { Upstream } from './upstream';
import { workerSocketPath } from '../worker-socket';

const MODEL_SERVICE = 'https://api.anthropic.com';

export type ModelUpstreams = {
  /** The model's service: the configured address, or Anthropic's. */
  service: Upstream;
  /** The installation's own key, empty where its service wants none; null where only teams and people have keys. */
  serviceKey: string | null;
  /** The demo model in this process, for turns without any key; null where the installation has its own. */
  demo: Upstream | null;
  close(): Promise<void>;
};

export async function openModelUpstreams(config: Config, workerId: string): Promise<ModelUpstreams> {
  const service = new Upstream({ url: config.anthropicBaseUrl ?? MODEL_SERVICE });
  if (config.anthropicApiKey !== null || config.anthropicBaseUrl !== null) {
    return { service, serviceKey: config.anthropicApiKey ?? '', demo: null, close: async () => service.close() };
  }
  const socketPath = workerSocketPath(config.runDir, 'd', workerId);
  const model = await startScriptedModel({ listen: { socketPath } });
  const demo = new Upstream({ url: 'http://demo.model', socketPath });
  return {
    service,
    serviceKey: null,
    demo,
    close: async () => {
      service.close();
      demo.close();
      await model.close();
    },
  };
}
