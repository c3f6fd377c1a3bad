import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../lib/http/api-error';

const MAX_RETRIES = 3;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < MAX_RETRIES && (!(error instanceof ApiError) || error.isPassing),
      retryDelay: (attempt) => Math.min(8_000, 400 * 2 ** attempt),
      networkMode: 'always',
      refetchOnWindowFocus: true,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});
