/** The list that draws only the rows in sight. Its answers must not be memoised: ask it again with every render. */
export { useVirtualizer as useVirtualRows } from '@tanstack/react-virtual';
