import { ENTER } from '../act/act-scripts';
import { LOCATE } from './project-file-scripts';

/**
 * Arguments: directory, `-iname` or `-ipath`, pattern. Prints `type/size/path` and NUL for each entry below the
 * directory that fits, in no order. Files come and go meanwhile, and what cannot be read is left out.
 */
export const FIND_FILES =
  ENTER +
  String.raw`
enter "./$1"
find . -mindepth 1 -name .git -prune -o "$2" "$3" -printf '%y/%s/%P\0' 2>/dev/null || :
`;

/**
 * Arguments: commit, directory, a text that the record of each wanted entry contains. Prints the commit's date and NUL,
 * then the entries below the directory in the form of FIND_FILES, and a record `!` where they could not all be read.
 */
export const FIND_PROJECT_FILES =
  LOCATE +
  String.raw`
locate "$1" "$2"
[ "$kind" != blob ] || exit 44
date=$(stored show -s --no-show-signature --no-mailmap --format=%cI "$1")
printf '%s\0' "$date"
[ "$kind" = tree ] || exit 0
{ stored ls-tree -r -t -z -l "$object" || printf '!\0'; } | LC_ALL=C sed -z -E '
  s,^(040000|160000) [a-z]+ [0-9a-f]+ +-\t(.*)$,d/0/\2,; t
  s,^120000 blob [0-9a-f]+ +[0-9]+\t(.*)$,l/0/\1,; t
  s,^[0-9]+ blob [0-9a-f]+ +([0-9]+)\t(.*)$,f/\1/\2,' | { grep -zaiF -e "$3" -e '!' || [ $? -eq 1 ]; }
`;
