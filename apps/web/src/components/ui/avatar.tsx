import { classNames } from '../class-names';

/** Hues far enough apart to tell people from each other, with the same lightness in each theme. */
const HUES = [262, 28, 152, 330, 205, 75, 295, 175];

function hueOf(id: string): number {
  let hash = 7;
  for (const character of id) hash = (hash * 31 + character.codePointAt(0)!) >>> 0;
  return HUES[hash % HUES.length]!;
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters.map((word) => [...(word ?? '?')][0]!.toUpperCase()).join('');
}

type Props = { id: string; name: string; size?: number; ring?: boolean; title?: string };

export function Avatar({ id, name, size = 24, ring = false, title }: Props) {
  const hue = hueOf(id);
  return (
    <span
      aria-hidden="true"
      title={title}
      className={classNames(
        'inline-flex shrink-0 select-none items-center justify-center rounded-full font-semibold',
        ring && 'ring-2 ring-canvas',
      )}
      style={{
        width: size,
        height: size,
        fontSize: Math.max(9, size * 0.4),
        background: `light-dark(oklch(0.9 0.055 ${hue}), oklch(0.38 0.07 ${hue}))`,
        color: `light-dark(oklch(0.36 0.1 ${hue}), oklch(0.92 0.05 ${hue}))`,
      }}
    >
      {initialsOf(name)}
    </span>
  );
}
