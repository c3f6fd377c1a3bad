/**
 * Reads a tar archive from stdin into `$W/source`. A single directory that holds everything is taken for its root.
 * Arguments: the most bytes, the most entries, and `gzip` where it is compressed. What tar itself calls unsafe, such
 * as `..`, refuses the whole archive. Devices and links that lead out of it are left out, and printed as `device
 * PATH` and `link PATH`, each ended by NUL; where a repository is in it, its commits say what there is, and links
 * stay. A link that leads inwards stays a link, and whatever it leads to is looked for inside this sandbox alone.
 */
export const UNPACK_UPLOAD = String.raw`
most=$1 entries=$2 form=$3
broken() { refuse 45 'it is not a valid .tar.gz or .zip archive, is incomplete, or contains paths outside it'; }
cat > "$W/upload"
plain() { if [ "$form" = gzip ]; then gzip -dc; else cat; fi < "$W/upload" 2>/dev/null | head -c "$(($most + 1))"; }
[ "$(plain | wc -c)" -le "$most" ] || refuse 46 'it unpacks to more than a project may have'
[ "$form" != gzip ] || gzip -tq < "$W/upload" 2>/dev/null || broken
count=$(plain | tar -tf - 2>/dev/null | head -n "$(($entries + 1))" | wc -l)
[ "$count" -le "$entries" ] || refuse 46 'it holds more files than a project may have'
[ "$count" -gt 0 ] || broken
mkdir "$W/all"
plain | tar -tvf - --quoting-style=literal 2>/dev/null | sed -n 's/^[bcp][^ ]* *[^ ]* *[^ ]* *[^ ]* *[^ ]* //p' > "$W/devices"
plain | tar -xf - -C "$W/all" --no-same-owner --no-same-permissions --no-wildcards --anchored --exclude-from="$W/devices" 2>/dev/null || broken
sed 's/^/device /' "$W/devices" | tr '\n' '\0'
rm -f "$W/devices"
rm -f "$W/upload"
chmod -R u+rwX "$W/all"
root="$W/all"
only=$(find "$W/all" -mindepth 1 -maxdepth 1 | head -n 2)
if [ "$(printf '%s\n' "$only" | wc -l)" -eq 1 ] && [ -d "$only" ] && [ ! -L "$only" ] && [ "$(basename "$only")" != .git ]; then root=$only; fi
if [ ! -e "$root/.git" ]; then
  find "$root" -type l -printf '%P\0' | sort -z | xargs -0 -r sh -c '
    root=$1; shift
    for path; do
      case "$(realpath -m -s -- "$(dirname -- "$root/$path")/$(readlink -- "$root/$path")")" in "$root"|"$root"/*) case "$(readlink -- "$root/$path")" in /*) ;; *) continue ;; esac ;; esac
      rm -f -- "$root/$path"
      printf "link %s\0" "$path"
    done' each "$root"
fi
mv -T "$root" "$W/source"
`;
