// A figure of an analysis as text.
import type { Figure } from "../../../rpc/contract";
import { number, percent } from "../../../i18n";

/** Half of the 95 % interval of a sampled figure. */
const half = ({ standardError }: Figure) => (standardError === undefined ? undefined : 1.96 * standardError);

function Text({ figure, write, unit = "" }: { figure: Figure | undefined; write: (value: number) => string; unit?: string }) {
  if (!figure) return null;
  const error = half(figure);
  return (
    <>
      {write(figure.value)}
      {unit}
      {error !== undefined && (
        <>
          {" "}
          <small>± {write(error)}</small>
        </>
      )}
    </>
  );
}

/** A figure in points, with its 95 % interval where it is sampled. */
export const Points = ({ of }: { of: Figure | undefined }) => <Text figure={of} write={(value) => number(value, 2)} />;

/** A probability, with its 95 % interval where it is sampled. */
export const Chance = ({ of }: { of: Figure | undefined }) => <Text figure={of} write={(value) => number(100 * value, 1)} unit=" %" />;

/** The 95 % interval of a sampled figure, for a title. */
export function interval(figure: Figure | undefined, write: (value: number) => string = percent): string | undefined {
  const error = figure && half(figure);
  return error === undefined ? undefined : `± ${write(error)}`;
}
