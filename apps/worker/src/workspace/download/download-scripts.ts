import { ENTER } from '../act/act-scripts';
import { CHOOSE_CHANGES } from '../history/diff-scripts';

// Shell expansions that a template literal would take for its own.
const LINE_AND_DOT_OFF = '${target%??}';
const DIRECTORY = '${target%/*}';
const NAME = '${target##*/}';

/** The most files of one archive: their names are listed before the first is packed. */
const MAX_ENTRIES = 500_000;

/**
 * `pack_list FORM MOST` writes what `$scratch/list` names, parted by NUL, to stdout: a line with nothing in it, then a
 * tar archive, compressed where FORM is `tar.gz`. Links are packed as links and never followed. Exit 46 and nothing
 * written: there is more than MOST bytes, or too many files.
 */
const PACK_LIST = String.raw`
pack_list() {
  [ "$(tr -dc '\0' < "$scratch/list" | wc -c)" -le ${MAX_ENTRIES} ] || refuse 46 'it has more files than an archive may have'
  sed -z 's|^|./|' "$scratch/list" | xargs -0 -r sh -c 'find "$@" -maxdepth 0 -type f -print0' find > "$scratch/files" 2>/dev/null || :
  size=$(du -lcb --files0-from="$scratch/files" 2>/dev/null | tail -n 1 | cut -f 1)
  [ "$(($size + 0))" -le "$2" ] || refuse 46 'its files are larger together than an archive may be'
  printf '\n'
  {
    # 1: a file changed while it was read.
    tar --format=gnu --no-recursion --hard-dereference --owner=0 --group=0 --numeric-owner --ignore-failed-read \
      -cf - --null --no-unquote -T "$scratch/list" 2> "$scratch/said" || [ $? -eq 1 ] || : > "$scratch/failed"
  } | if [ "$1" = tar.gz ]; then gzip -1; else cat; fi
  [ ! -e "$scratch/failed" ] || refuse 45 'the files could not be packed'
}
`;

/**
 * Arguments: file, most bytes. Prints its size and a line end, then its bytes: as many as it had. Links are resolved as
 * READ_FILE does.
 */
export const DOWNLOAD_FILE =
  ENTER +
  String.raw`
target=$(realpath -e -- "./$1" 2>/dev/null && echo .) || exit 44
target=${LINE_AND_DOT_OFF}
name=${NAME}
[ "$target" != "$root" ] && [ "$name" != .git ] || exit 44
enter "${DIRECTORY}/"
[ ! -d "./$name" ] || refuse 45 'it is a directory: download it as zip or tar.gz'
[ -f "./$name" ] && [ ! -L "./$name" ] || exit 44
[ -r "./$name" ] || refuse 47 'it cannot be read'
size=$(stat -c %s -- "./$name")
[ "$size" -le "$2" ] || refuse 46 'it is larger than a download may be'
printf '%s\n' "$size"
dd if="./$name" iflag=nofollow,nonblock bs=256k status=none | head -c "$size"
`;

/**
 * Arguments: directory, form, most bytes. Everything in it, ignored files too, but no git repository's own files and
 * nothing that is neither file, directory nor link.
 */
export const DOWNLOAD_DIRECTORY =
  ENTER +
  PACK_LIST +
  String.raw`
enter "./$1"
make_scratch
find . -mindepth 1 -name .git -prune -o \( -type f -o -type d -o -type l \) -printf '%P\0' > "$scratch/list" 2>/dev/null || :
pack_list "$2" "$3"
`;

/**
 * Arguments: base as a person named it, scope, commit, base commit of the session. Prints a line with nothing in it,
 * then one patch of all that differs, binary files and large new ones too, as git applies it.
 */
export const DOWNLOAD_PATCH =
  CHOOSE_CHANGES +
  String.raw`
begin
everything=yes
choose "$@"
[ -n "$target" ] || look_at_files .
printf '\n'
compare --patch --binary --full-index "$base" $target --
`;

/** Arguments: as above, form, most bytes. The changed and new files as they are now. */
export const DOWNLOAD_CHANGES =
  CHOOSE_CHANGES +
  PACK_LIST +
  String.raw`
begin
everything=yes
choose "$@"
look_at_files .
compare --name-only --no-renames --diff-filter=d -z "$base" -- > "$scratch/list"
cd "$W"
pack_list "$5" "$6"
`;
