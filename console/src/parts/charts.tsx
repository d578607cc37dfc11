import { BarChart, type BarChartOptions, LineChart } from 'chartist';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { cut } from '../text';
import './chart-styles';

/** Something with its figure. */
export interface Point {
  readonly name: string;
  readonly value: number;
}

interface ChartProps {
  /** From the top, or from the left. */
  readonly points: readonly Point[];
  /** How a figure is written. */
  readonly show: (value: number) => string;
}

/** About as many names find room below a chart. */
const NAMES = 4;

/** Figures of one day after the other, as a line. Who does not see it has them as a table. */
export function Days({ points, show }: ChartProps): JSX.Element {
  const every = Math.ceil(points.length / NAMES);
  const element = useChart(points, (place) => {
    const chart = new LineChart(
      place,
      { labels: points.map(({ name }) => name), series: [points.map(({ value }) => value)] },
      {
        low: 0,
        showArea: true,
        showPoint: points.length <= 31,
        lineSmooth: false,
        fullWidth: true,
        chartPadding: { top: 20, right: 32, bottom: 0, left: 8 },
        axisX: {
          showGrid: false,
          labelInterpolationFnc: (name, index) => (index % every === 0 ? name : null),
        },
        axisY: {
          offset: 64,
          onlyInteger: points.every(({ value }) => Number.isInteger(value)),
          labelInterpolationFnc: (value) => show(Number(value)),
        },
      },
    );
    return () => chart.detach();
  });
  return <div class="chart days" aria-hidden="true" ref={element} />;
}

/** As much of a name is shown. */
const LONGEST = 24;
const ROW_PX = 34;

/** Figures of several things, as bars with the figures beside them. Who does not see it has them as a table. */
export function Bars({ points, show }: ChartProps): JSX.Element {
  const element = useChart(points, (place) => {
    // The library begins at the bottom.
    const upwards = points.toReversed();
    const options: BarChartOptions = {
      horizontalBars: true,
      low: 0,
      height: points.length * ROW_PX,
      // Room for the figure beside the longest bar.
      chartPadding: { top: 0, right: 80, bottom: 0, left: 0 },
      axisX: { showLabel: false, showGrid: false, offset: 0 },
      axisY: { showGrid: false, offset: 150 },
    };
    const chart = new BarChart(
      place,
      { labels: upwards.map(({ name }) => cut(name, LONGEST)), series: [upwards.map(({ value }) => value)] },
      options,
    );
    chart.on('draw', (drawn) => {
      if (drawn.type !== 'bar') return;
      const { group, x2, y2, index } = drawn;
      group.elem('text', { x: x2 + 6, y: y2 + 5 }, 'ct-figure').text(show(upwards[index]?.value ?? 0));
    });
    return () => chart.detach();
  });
  return <div class="chart" aria-hidden="true" ref={element} />;
}

/** The element of a chart, which is drawn anew when its figures change. */
function useChart(points: readonly Point[], draw: (place: HTMLElement) => () => void) {
  const element = useRef<HTMLDivElement>(null);
  const latest = useRef(draw);
  latest.current = draw;
  useEffect(
    () => (element.current === null ? undefined : latest.current(element.current)),
    [JSON.stringify(points)],
  );
  return element;
}
