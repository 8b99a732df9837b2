// Line icons, inline, so that none is fetched.
const paths = {
  brand: "M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM8 8h.01M16 8h.01M12 12h.01M8 16h.01M16 16h.01",
  play: "M5 4h9a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2zM19 9l2 1.5v8.500a2 2 0 0 1-2 2h-9M7 8h.01M12 13h.01M9.500 10.500h.01",
  analyse: "M4 20V10M10 20V4M16 20v-8M22 20H2",
  review: "M3 17l5-6 4 4 8-10M20 5h-5M20 5v5",
  rules: "M6 3h9l4 4v14H6zM15 3v4h4M9 12h7M9 16h7",
  auto: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18",
  light: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M4.900 4.900l1.400 1.400M17.700 17.700l1.400 1.400M2 12h2M20 12h2M4.900 19.100l1.400-1.400M17.700 6.300l1.400-1.400",
  dark: "M20 14.500A8.500 8.500 0 1 1 9.500 4a7 7 0 0 0 10.500 10.500z",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  cross: "M6 6l12 12M18 6L6 18",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.500 10.900c.900.700 1 1.600 1 2.100h5c0-.500.100-1.400 1-2.100A6 6 0 0 0 12 3z",
  file: "M12 3v12M7 10l5 5 5-5M4 20h16",
  open: "M12 15V3M7 8l5-5 5 5M4 20h16",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  crown: "M3 8l4 4 5-7 5 7 4-4-2 11H5z",
} as const;

export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
