import { controllersOf } from '../core/http/controllers-of';
import { routeTable } from '../core/http/route-table';
import { AppModule } from '../server/app.module';
import { featuresOf } from './features-of';

const routes = routeTable(controllersOf(AppModule));

describe('features of the server', () => {
  it('are the nouns of its routes and its transports, each once and sorted', () => {
    const features = featuresOf(routes, true);
    expect(features).toEqual(expect.arrayContaining(['pull-requests', 'server-sent-events', 'sessions', 'socket.io']));
    expect(features).toEqual([...new Set(features)].sort());
  });

  it('lack a transport that is not there', () => {
    const plain = routes.filter(({ notes }) => notes.media === undefined);
    expect(featuresOf(plain, false)).not.toEqual(expect.arrayContaining(['server-sent-events']));
    expect(featuresOf(routes, false)).not.toContain('socket.io');
  });
});
