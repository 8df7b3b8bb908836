"""Makes the ``metal_stdlib`` header: vectors with swizzles, packed vectors and matrices.

What is the same for every size is in ``base.hpp`` and ``library.hpp``; here is what has to be
spelled out: the components, their orders, and the ways to put a vector together.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

_HERE = Path(__file__).parent
_SIZES = (2, 3, 4)
_SCALARS = ("bool", "char", "uchar", "short", "ushort", "int", "uint", "half", "float")

_ARITHMETIC = "+ - * / % & | ^ << >>".split()  # noqa: SIM905
_COMPARISONS = "== != < <= > >= && ||".split()  # noqa: SIM905
_UNARY = """
    sin cos tan asin acos atan sinh cosh tanh exp exp2 log log2 sqrt rsqrt floor ceil trunc rint
    round fabs abs fract saturate sign popcount clz ctz reverse_bits
"""
_BINARY = "pow powr atan2 fmod min max step"
_TERNARY = "clamp mix fma smoothstep"
_TESTS = "isnan isinf"


def metal_stdlib() -> str:
    """The whole header."""
    parts = [
        (_HERE / "base.hpp").read_text(encoding="utf-8"),
        *(_vector(size) for size in _SIZES),
        *_names(),
        *(_packed(size) for size in _SIZES),
        *_packed_names(),
        *(_matrix(cols) for cols in _SIZES),
        *(f"typedef matrix<{c}, {r}> float{c}x{r};" for c in _SIZES for r in _SIZES),
        (_HERE / "library.hpp").read_text(encoding="utf-8"),
        "}  // namespace metal",
    ]
    return "\n".join(parts) + "\n"


# ---------------------------------------------------------------- vectors


def _vector(size: int) -> str:
    lines = [
        f"template <class T> struct alignas(sizeof(T) * {2 if size == 2 else 4}) vec<T, {size}> {{",
        "    union {",
        *_components(size),
        f"        T data[{2 if size == 2 else 4}];",
        "    };",
        "    vec() = default;",
        f"    constexpr vec(const vec& o) : data{{{_each('o.data[#]', size)}}} {{}}",
        f"    vec& operator=(const vec& o) {{ {_each('data[#] = o.data[#];', size, ' ')} "
        "return *this; }",
        "    template <class S, class = typename enabled<is_arithmetic<S>::value>::type>",
        f"    constexpr vec(S s) : data{{{_each('(T)s', size)}}} {{}}",
        "    template <class U, class = typename enabled<!__is_same(U, T)>::type>",
        f"    explicit vec(const vec<U, {size}>& o) : data{{{_each('(T)o.data[#]', size)}}} {{}}",
        *_constructors(size),
        "    T& operator[](int i) { return data[i]; }",
        "    T operator[](int i) const { return data[i]; }",
        *_functions(size),
        "};",
    ]
    return "\n".join(lines)


def _each(pattern: str, size: int, separator: str = ", ") -> str:
    return separator.join(pattern.replace("#", str(i)) for i in range(size))


def _components(size: int) -> Iterator[str]:
    for letters in ("xyzw", "rgba"):
        yield f"        struct {{ T {', '.join(letters[:size])}; }};"
        for count in _SIZES:
            for order in product(range(size), repeat=count):
                name = "".join(letters[i] for i in order)
                yield f"        swizzle<T, {size}, {', '.join(map(str, order))}> {name};"


def _splits(size: int, limit: int) -> Iterator[list[int]]:
    """The ways to make up a size of parts of at most a limit."""
    if size == 0:
        yield []
    for first in range(1, min(size, limit) + 1):
        for rest in _splits(size - first, limit):
            yield [first, *rest]


def _constructors(size: int) -> Iterator[str]:
    for parts in _splits(size, size - 1):
        params, values = [], []
        for at, count in enumerate(parts):
            params.append(f"T a{at}" if count == 1 else f"const vec<T, {count}>& a{at}")
            values += [f"a{at}"] if count == 1 else [f"a{at}.data[{i}]" for i in range(count)]
        yield f"    constexpr vec({', '.join(params)}) : data{{{', '.join(values)}}} {{}}"


def _functions(size: int) -> Iterator[str]:
    two = "const vec& a, const vec& b"
    truth = f"vec<bool, {size}>"
    for op in _ARITHMETIC:
        whole = _each(f"(T)(a.data[#] {op} b.data[#])", size)
        yield f"    friend vec operator{op}({two}) {{ return vec({whole}); }}"
        yield f"    friend vec& operator{op}=(vec& a, const vec& b) {{ return a = a {op} b; }}"
    for op in _COMPARISONS:
        whole = _each(f"a.data[#] {op} b.data[#]", size)
        yield f"    friend {truth} operator{op}({two}) {{ return {truth}({whole}); }}"
    for op in "-~!":
        whole = _each(f"(T)({op}a.data[#])", size)
        yield f"    friend vec operator{op}(const vec& a) {{ return vec({whole}); }}"
    for name in _UNARY.split():
        yield f"    friend vec {name}(const vec& a) {{ return vec({_call(name, 1, size)}); }}"
    for name in _BINARY.split():
        yield f"    friend vec {name}({two}) {{ return vec({_call(name, 2, size)}); }}"
    for name in _TERNARY.split():
        three = f"{two}, const vec& c"
        yield f"    friend vec {name}({three}) {{ return vec({_call(name, 3, size)}); }}"
    for name in _TESTS.split():
        whole = _call(name, 1, size)
        yield f"    friend {truth} {name}(const vec& a) {{ return {truth}({whole}); }}"
    chosen = _each("c.data[#] ? b.data[#] : a.data[#]", size)
    yield f"    friend vec select({two}, const {truth}& c) {{ return vec({chosen}); }}"
    for name, joint in (("any", " || "), ("all", " && ")):
        whole = _each("a.data[#]", size, joint)
        yield f"    friend bool {name}(const vec& a) {{ return {whole}; }}"
    yield from _geometry(size)


def _call(name: str, count: int, size: int) -> str:
    args = ", ".join(f"{letter}.data[#]" for letter in "abc"[:count])
    return _each(f"metal::{name}({args})", size)


def _geometry(size: int) -> Iterator[str]:
    products = _each("a.data[#] * b.data[#]", size, " + ")
    yield f"""\
    friend T dot(const vec& a, const vec& b) {{ return {products}; }}
    friend T length(const vec& a) {{ return metal::sqrt(dot(a, a)); }}
    friend T distance(const vec& a, const vec& b) {{ return length(a - b); }}
    friend vec normalize(const vec& a) {{ return a * metal::rsqrt(dot(a, a)); }}
    friend vec reflect(const vec& i, const vec& n) {{ return i - n * (T)((T)2 * dot(n, i)); }}
    friend vec faceforward(const vec& n, const vec& i, const vec& r) {{
        return dot(r, i) < (T)0 ? n : -n;
    }}
    friend vec refract(const vec& i, const vec& n, T eta) {{
        T d = dot(n, i);
        T k = (T)((T)1 - eta * eta * ((T)1 - d * d));
        return k < (T)0 ? vec((T)0) : i * eta - n * (T)(eta * d + metal::sqrt(k));
    }}"""
    if size == 3:
        yield """\
    friend vec cross(const vec& a, const vec& b) {
        return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
    }"""


def _names() -> Iterator[str]:
    for scalar in _SCALARS:
        for size in _SIZES:
            yield f"typedef vec<{scalar}, {size}> {scalar}{size};"


# ---------------------------------------------------------------- packed vectors


def _packed(size: int) -> str:
    return f"""\
template <class T> struct packed_vec{size} {{
    T data[{size}];
    packed_vec{size}() = default;
    packed_vec{size}(const vec<T, {size}>& v) : data{{{_each("v.data[#]", size)}}} {{}}
    operator vec<T, {size}>() const {{ return vec<T, {size}>({_each("data[#]", size)}); }}
    T& operator[](int i) {{ return data[i]; }}
    T operator[](int i) const {{ return data[i]; }}
}};"""


def _packed_names() -> Iterator[str]:
    for scalar in _SCALARS[1:]:
        for size in _SIZES:
            yield f"typedef packed_vec{size}<{scalar}> packed_{scalar}{size};"


# ---------------------------------------------------------------- matrices


def _matrix(cols: int) -> str:
    """Matrices of a number of columns, and all that is multiplied from the left."""
    if cols == 2:
        head = "template <int C, int R> struct matrix;\n"
    else:
        head = ""
    columns = ", ".join(f"const vec<float, R>& c{i}" for i in range(cols))
    return f"""{head}\
template <int R> struct matrix<{cols}, R> {{
    typedef vec<float, R> column;
    typedef vec<float, {cols}> row;
    column columns[{cols}];
    matrix() = default;
    matrix({columns}) : columns{{{_each("c#", cols)}}} {{}}
    explicit matrix(float s) {{
        for (int i = 0; i < {cols}; i++) {{
            columns[i] = column(0.0f);
            if (i < R) columns[i][i] = s;
        }}
    }}
    column& operator[](int i) {{ return columns[i]; }}
    const column& operator[](int i) const {{ return columns[i]; }}
    friend column operator*(const matrix& m, const row& v) {{
        return {_each("m.columns[#] * v.data[#]", cols, " + ")};
    }}
    friend row operator*(const column& v, const matrix& m) {{
        return row({_each("dot(v, m.columns[#])", cols)});
    }}
    friend matrix operator*(const matrix& m, float s) {{
        return matrix({_each("m.columns[#] * s", cols)});
    }}
    friend matrix operator*(float s, const matrix& m) {{ return m * s; }}
    friend matrix operator+(const matrix& a, const matrix& b) {{
        return matrix({_each("a.columns[#] + b.columns[#]", cols)});
    }}
    friend matrix operator-(const matrix& a, const matrix& b) {{
        return matrix({_each("a.columns[#] - b.columns[#]", cols)});
    }}
    matrix& operator*=(float s) {{ return *this = *this * s; }}
    matrix& operator+=(const matrix& o) {{ return *this = *this + o; }}
    matrix& operator-=(const matrix& o) {{ return *this = *this - o; }}
    template <int K> friend matrix<K, R> operator*(const matrix& a, const matrix<K, {cols}>& b) {{
        matrix<K, R> m;
        for (int i = 0; i < K; i++) m.columns[i] = a * b.columns[i];
        return m;
    }}
    friend matrix<R, {cols}> transpose(const matrix& m) {{
        matrix<R, {cols}> t;
        for (int i = 0; i < R; i++)
            for (int j = 0; j < {cols}; j++) t.columns[i][j] = m.columns[j].data[i];
        return t;
    }}
    friend float determinant(const matrix& m) {{
        static_assert(R == {cols}, "determinant of a square matrix");
        {_determinant(cols)}
    }}
}};"""


def _determinant(size: int) -> str:
    if size == 2:
        return "return m[0][0] * m[1][1] - m[1][0] * m[0][1];"
    if size == 3:
        return "return dot(m[0], cross(m[1], m[2]));"
    return """float sum = 0;
        for (int c = 0; c < 4; c++) {
            vec<float, 3> k[3];
            int n = 0;
            for (int j = 0; j < 4; j++)
                if (j != c) k[n++] = vec<float, 3>(m[j][1], m[j][2], m[j][3]);
            sum += (c & 1 ? -1.0f : 1.0f) * m[c][0] * dot(k[0], cross(k[1], k[2]));
        }
        return sum;"""
