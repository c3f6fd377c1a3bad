import { classNames } from '../class-names';

/** A grey place for what is being loaded. The region around it says that it is busy. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={classNames('animate-breathe rounded-md bg-hover', className)} />;
}

export function SkeletonRows({ count, className }: { count: number; className: string }) {
  return (
    <div role="status" aria-label="Loading" className="stack gap-2">
      {Array.from({ length: count }, (_, at) => (
        <Skeleton key={at} className={className} />
      ))}
    </div>
  );
}
