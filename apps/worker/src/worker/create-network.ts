import {
  BudgetSpendingRepository,
  EgressLogRepository,
  ModelKeyRepository,
  PriceRepository,
  UsageRepository,
} from '@chirality/database';
import type { Config, Logger } from '@chirality/platform';
import { EgressGateway, networkWithHosts, networkWithPrivateHosts } from '../egress';
import { ModelGateway } from '../gateway/serve/model-gateway';
import type { ModelUpstreams } from '../gateway/upstream/model-upstreams';
import { AccountFinder } from '../key/account-finder';
import { RequestFunding } from '../key/request-funding';
import type { TurnUsageBinding } from '../key/turn-costs';
import { TurnRequestAuthorizer } from '../key/turn-request-authorizer';
import { TurnUsageSink } from '../turn/turn-usage-sink';
import type { Storage } from './create-storage';
import { PriceTable } from './price-table';

export type Network = ReturnType<typeof createNetwork>;

/** The ways out of a sandbox: to the model, at the cost of an account, and to the hosts that a project lists. */
export function createNetwork(config: Config, { database, secrets }: Storage, upstreams: ModelUpstreams, log: Logger) {
  const { runDir } = config;
  const keys = new ModelKeyRepository(database);
  const usage = new UsageRepository(database);
  const prices = new PriceTable(new PriceRepository(database));
  const accounts = new AccountFinder(keys, secrets, upstreams);
  const funding = new RequestFunding(new BudgetSpendingRepository(database), log);
  const gateway = new ModelGateway<TurnUsageBinding>({
    authorizer: new TurnRequestAuthorizer(accounts, keys, funding, prices.current, log),
    runDir,
    onUsage: new TurnUsageSink(usage, prices.current),
    log,
  });
  const network = config.testHosts ? networkWithHosts(config.testHosts) : networkWithPrivateHosts(config.privateHosts);
  const egressLog = new EgressLogRepository(database);
  const egress = new EgressGateway({ runDir, network, sink: egressLog, log });
  // What is fetched for a project is fetched in no turn, and the table has turns.
  const transportEgress = new EgressGateway({ runDir, network, sink: { add: async () => undefined }, log });
  return { accounts, prices, usage, gateway, egress, egressLog, transportEgress, destinations: network };
}
