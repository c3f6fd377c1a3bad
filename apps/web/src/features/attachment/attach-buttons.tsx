import { Camera, Paperclip } from 'lucide-react';
import { useRef, type RefObject } from 'react';
import { IconButton } from '../../components/ui/icon-button';
import { useMedia } from '../../lib/page/use-media';

/** Chooses files for a message; where fingers type, a picture can be taken too. */
export function AttachButtons({ onFiles }: { onFiles: (files: File[]) => void }) {
  const isTouch = useMedia('(pointer: coarse)');
  const picker = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton label="Attach files" onClick={() => picker.current?.click()}>
        <Paperclip size={17} />
      </IconButton>
      <HiddenPicker ref={picker} label="Files to attach" onFiles={onFiles} multiple />
      {isTouch && (
        <>
          <IconButton label="Take a picture" onClick={() => camera.current?.click()}>
            <Camera size={17} />
          </IconButton>
          <HiddenPicker
            ref={camera}
            label="Picture to attach"
            onFiles={onFiles}
            accept="image/*"
            capture="environment"
          />
        </>
      )}
    </>
  );
}

type PickerProps = {
  ref: RefObject<HTMLInputElement | null>;
  label: string;
  onFiles: (files: File[]) => void;
  multiple?: boolean;
  accept?: string;
  capture?: 'environment';
};

function HiddenPicker({ ref, label, onFiles, ...input }: PickerProps) {
  return (
    <input
      ref={ref}
      type="file"
      aria-label={label}
      tabIndex={-1}
      className="sr-only"
      onChange={({ target }) => {
        const files = [...(target.files ?? [])];
        target.value = '';
        if (files.length > 0) onFiles(files);
      }}
      {...input}
    />
  );
}
