import { ENTER, ETAG_OF } from '../act/act-scripts';

// Shell expansions that a template literal would take for its own.
const FIRST_NAME = '${rest%%/*}';
const AFTER_FIRST = '${rest#*/}';

/**
 * Writes stdin to a file, in one step: it is there whole, or as before. Arguments: the file, how many bytes there must
 * be, and what is there now: `any`, `none`, or `etag` with its etag. Directories that are missing are made; each is
 * entered, so that none of them leads out. Prints size and etag. 44: the way there leads out. 45: it cannot be written
 * there. 50: a file is there. 51: the file is another one. Holds the workspace's lock.
 */
export const WRITE_FILE =
  ENTER +
  ETAG_OF +
  String.raw`
rest=$1 bytes=$2 expected=$3
while :; do
  case "$rest" in */*) ;; *) break ;; esac
  next=${FIRST_NAME} rest=${AFTER_FIRST}
  if [ ! -e "./$next" ] && [ ! -L "./$next" ]; then
    [ "$expected" != etag ] || refuse 51 'it is gone'
    mkdir -- "./$next" 2> /dev/null || refuse 45 'the folder cannot be made there'
  fi
  [ -d "./$next" ] || refuse 45 'a part of the path is a file'
  enter "./$next"
done
name=$rest
[ ! -L "./$name" ] || refuse 45 'a link has this name: choose another one, or the file that it leads to'
[ ! -d "./$name" ] || refuse 45 'a folder has this name'
if [ -e "./$name" ]; then
  [ -f "./$name" ] || refuse 45 'what has this name is no plain file'
  case "$expected" in
    none) refuse 50 'it exists' ;;
    etag) [ "$(etag_of "./$name")" = "$4" ] || refuse 51 'it has changed' ;;
  esac
elif [ "$expected" = etag ]; then refuse 51 'it is gone'; fi
# Beside git's own files: what a killed worker leaves is no file of the workspace, and the next write removes it.
aside=.
if [ -d "$root/.git" ] && [ ! -L "$root/.git" ]; then aside=$root/.git; fi
rm -f -- "$aside"/.chirality-upload-???????? 2> /dev/null || :
fresh=$(mktemp "$aside/.chirality-upload-XXXXXXXX") || refuse 45 'nothing can be written in this folder'
trap 'rm -f "$fresh"' EXIT
cat > "$fresh"
[ "$(stat -c %s -- "$fresh")" -eq "$bytes" ] || refuse 47 'it did not arrive whole'
if [ -e "./$name" ]; then chmod --reference="./$name" -- "$fresh"; else chmod 644 -- "$fresh"; fi
sync -- "$fresh" 2> /dev/null || :
mv -fT -- "$fresh" "./$name" || refuse 45 'nothing can be written in this folder'
stat -c %s -- "./$name"
etag_of "./$name"
`;
