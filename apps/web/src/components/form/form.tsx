import { createContext, useContext, useEffect, useId, useRef, type ComponentProps, type FormEvent } from 'react';
import { contentsOf, FormWatch } from '../../lib/form/form-watch';
import { unsavedWork, type UnsavedWork } from '../../lib/form/unsaved-work';

/** The part of the page that is closed separately, such as a dialog; null on the page itself. */
export const UnsavedPart = createContext<UnsavedWork | null>(null);
/** The form around, for a button that stands elsewhere on the page. */
export const FormId = createContext<string | undefined>(undefined);

type Props = ComponentProps<'form'> & {
  /** The last submission failed, or was not sent because of a fault in a field. */
  hasFailed?: boolean;
  /** Where the form knows better than its fields do: false while there is nothing to lose. */
  isChanged?: boolean;
};

/** A form whose unsaved words are asked about before its page or dialog is left. */
export function Form({ hasFailed = false, isChanged = true, onInput, onSubmit, ref, children, ...rest }: Props) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const watch = useRef<FormWatch>(null);
  const typed = useRef<() => void>(null);
  const part = useContext(UnsavedPart);
  const isChangedNow = useRef(isChanged);
  const contents = () => contentsOf(form.current?.elements ?? []);
  useEffect(() => {
    isChangedNow.current = isChanged;
    watch.current?.outcome(hasFailed);
  }, [isChanged, hasFailed]);
  useEffect(() => {
    const watched = new FormWatch(contents());
    watch.current = watched;
    const isUnsaved = () => isChangedNow.current && watched.isUnsaved(contents());
    const begin = () => [unsavedWork.watch(isUnsaved), part?.watch(isUnsaved)];
    typed.current = () => {
      watched.typed();
      begin();
    };
    const ends = begin();
    return () => ends.forEach((end) => end?.());
  }, [part]);
  return (
    <form
      id={id}
      ref={(element) => {
        form.current = element;
        if (typeof ref === 'function') ref(element);
        else if (ref) ref.current = element;
      }}
      onInput={(event) => {
        typed.current?.();
        onInput?.(event);
      }}
      onSubmit={(event: FormEvent<HTMLFormElement>) => {
        watch.current?.submit(contents());
        onSubmit?.(event);
      }}
      {...rest}
    >
      <FormId value={id}>{children}</FormId>
    </form>
  );
}
