/** Sizes and limits as the page shows them. */
import { limit, size } from "../page/format.js";
import { expect } from "./expect.js";

const KIB = 1024, MIB = 1024 ** 2;

export const tests = {
  async "sizes have the units of the configuration and are rounded up"() {
    const cases = [
      [0, "0 bytes"], [1, "1 byte"], [1023, "1,023 bytes"], [1024, "1.0 KiB"], [1025, "1.1 KiB"],
      [100 * KIB, "100 KiB"], [100 * KIB + 1, "101 KiB"], [MIB - 1, "1.0 MiB"], [10 * MIB, "10.0 MiB"],
      [10 * MIB + 1, "10.1 MiB"], [1024 ** 4, "1.0 TiB"], [2000.5, "2.0 KiB"],
    ];
    for (const [bytes, text] of cases) expect(size(bytes), text, `${bytes} bytes:`);
  },

  async "limits are exact"() {
    const cases = [
      [1, "1 byte"], [100_000, "100,000 bytes"], [100 * KIB, "100 KiB"], [1536 * KIB, "1,536 KiB"],
      [30 * MIB, "30 MiB"], [5 * 1024 ** 3, "5 GiB"], [MIB + 1, "1,048,577 bytes"],
    ];
    for (const [bytes, text] of cases) expect(limit(bytes), text, `${bytes} bytes:`);
  },

  async "a file that is larger than a limit in KiB or more never appears to be within it"() {
    const units = ["KiB", "MiB", "GiB", "TiB"];
    const shown = (text) => {
      const [number, unit] = text.split(" ");
      return Number(number.replaceAll(",", "")) * 1024 ** (1 + units.indexOf(unit));
    };
    for (const most of [KIB, 100 * KIB, 1000 * KIB, 1536 * KIB, 10 * MIB, 30 * MIB, 5 * 1024 ** 3]) {
      expect(shown(limit(most)), most);
      expect(shown(size(most + 1)) > most, true, `${size(most + 1)} is refused by ${limit(most)}:`);
      expect(shown(size(most)) <= most, true, `${size(most)} is accepted by ${limit(most)}:`);
    }
  },
};
