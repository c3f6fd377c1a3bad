/**
 * `pack LIST LIMIT DIRECTORY [first files…]` writes the files that LIST names, relative to DIRECTORY and parted by NUL,
 * to stdout as a compressed archive; the first files come from the current directory. Links are packed as links.
 * Exit 46 and nothing written: together they are larger than LIMIT bytes, and the size is the reason.
 */
export const PACK = String.raw`
pack() {
  list=$1 limit=$2 directory=$3; shift 3
  size=$(cd "$directory" && du -scb --files0-from="$list" 2>/dev/null | tail -n 1 | cut -f 1)
  [ "$size" -le "$limit" ] || refuse 46 "$size"
  {
    # 1: a file changed while it was read.
    tar -cf - --ignore-failed-read "$@" -C "$directory" --null --no-unquote -T "$list" || [ $? -eq 1 ] || : > "$list.failed"
  } | gzip -1
  [ ! -e "$list.failed" ] || refuse 45 'the files could not be packed'
}
`;

/** The most that is packed of a workspace or of a conversation, before compression. */
export const PACK_LIMIT_BYTES = 256 * 1024 * 1024;
