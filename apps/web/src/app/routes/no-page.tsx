import { useTitle } from '../../lib/page/use-title';
import { NotFound } from '../frame/route-error';

/** An address that no page has ever had, beside the sidebar that leads to those that there are. */
export default function NoPage() {
  useTitle('Page not found');
  return <NotFound>There is no page at this address. Check it for a typing mistake.</NotFound>;
}
