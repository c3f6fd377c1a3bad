import { WrapText } from 'lucide-react';
import { IconButton } from '../ui/icon-button';
import { useObservable } from '../../lib/state/use-observable';
import { wrappedLines } from './wrapped-lines';

export function WrapButton() {
  const isOn = useObservable(wrappedLines.isOn);
  return (
    <IconButton label="Wrap long lines" aria-pressed={isOn} onClick={() => wrappedLines.choose(!isOn)}>
      <WrapText size={15} className={isOn ? 'text-accent' : undefined} />
    </IconButton>
  );
}
