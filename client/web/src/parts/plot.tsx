// A plot that fits its place and follows light and dark.
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

import { light } from "../app";
import { language } from "../i18n";

export interface PlotProps {
  /** The description of the plot for screen readers. */
  label: string;
  data: uPlot.AlignedData;
  height: number;
  /** The options for this width, with colours by name. */
  options: (colour: (name: string) => string) => Omit<uPlot.Options, "width" | "height">;
}

/** The value of a colour of the style sheet as it is now. */
function resolve(place: Element, name: string): string {
  const probe = document.createElement("i");
  probe.style.color = `var(--${name})`;
  place.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

export function Plot({ label, data, height, options }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const latest = useRef(data);
  latest.current = data;
  const shape = `${light.value} ${language.value} ${height} ${data.length}`;
  useEffect(() => {
    const target = place.current!;
    const draw = () => {
      plot.current?.destroy();
      const width = target.clientWidth || 300;
      plot.current = new uPlot({ ...options((name) => resolve(target, name)), width, height }, latest.current, target);
    };
    draw();
    const watch = new ResizeObserver(() => {
      if (plot.current && target.clientWidth && plot.current.width !== target.clientWidth) plot.current.setSize({ width: target.clientWidth, height });
    });
    watch.observe(target);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", draw);
    return () => {
      watch.disconnect();
      scheme.removeEventListener("change", draw);
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [shape, options]);
  useEffect(() => plot.current?.setData(data), [data]);
  return <div class="plot" role="img" aria-label={label} ref={place} style={{ height: `${height}px` }} />;
}

/** Axes as all plots have them. */
export function axes(colour: (name: string) => string, x: (value: number) => string, y: (value: number) => string, width = 50): uPlot.Axis[] {
  const usual = { stroke: colour("muted"), grid: { stroke: colour("line"), width: 1 }, ticks: { show: false }, font: "12px Inter, system-ui, sans-serif" };
  return [
    { ...usual, grid: { show: false }, size: 26, values: (_, ticks) => ticks.map(x) },
    { ...usual, size: width, values: (_, ticks) => ticks.map(y) },
  ];
}
